"""What a device tells about itself."""

from __future__ import annotations

from tests.cuda.fake_device import PROPERTIES
from trainer.cuda.attributes import device_attribute, resident_blocks


def test_attributes_have_cudas_numbers() -> None:
    assert device_attribute(PROPERTIES, 16) == PROPERTIES.multiprocessors
    assert device_attribute(PROPERTIES, 97) == PROPERTIES.shared_bytes_per_block_optin
    assert (device_attribute(PROPERTIES, 75), device_attribute(PROPERTIES, 76)) == (9, 0)
    assert device_attribute(PROPERTIES, 17) == 0  # known, but nothing here sets it
    assert device_attribute(PROPERTIES, 100_000) is None


def test_residency_is_limited_by_threads_registers_shared_memory_and_blocks() -> None:
    assert resident_blocks(PROPERTIES, 1024, 32, 0) == 2
    assert resident_blocks(PROPERTIES, 256, 128, 0) == 2
    assert resident_blocks(PROPERTIES, 128, 16, 100 * 1024) == 2
    assert resident_blocks(PROPERTIES, 32, 16, 0) == 32
    assert resident_blocks(PROPERTIES, 2048, 16, 0) == 0
