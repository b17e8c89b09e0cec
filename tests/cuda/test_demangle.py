"""Mangled names of kernels, as NVRTC writes them, back to what a name expression needs."""

from __future__ import annotations

import pytest

from trainer.cuda.demangle import Unnameable, demangle, parameter_types, pretty


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("solve", "solve"),
        ("_Z1fPKfPfi", "f"),
        ("_Z1gILi3EfEvPT0_", "g<3, float>"),
        ("_ZN12wd_anonymous1hEPf", "wd_anonymous::h"),
        ("_ZN1a1b1kILj16ELb1ELin4EEEvv", "a::b::k<16u, true, -4>"),
        ("_Z1kI3OpsIfEEvT_", "k<Ops<float> >"),
        ("_Z1kIPKfPfEvT_T0_", "k<const float*, float*>"),
        ("_Z1kIN2ns3OpsINS0_3TagEEEEvT_", "k<ns::Ops<ns::Tag> >"),
        ("_Z1kIJifdEEvDpT_", "k<int, float, double>"),
        ("_Z1kIL4Mode1EEvv", "k<(Mode)1>"),
        ("_Z1kIXadL_Z3addffEEEvPf", "k<&add>"),
        ("_Z1kISt4lessIvEEvT_", "k<std::less<void> >"),
        ("_Z1kIFffEEvPT_", "k<float (float)>"),
    ],
)
def test_names(symbol: str, name: str) -> None:
    assert demangle(symbol).text == name


def test_a_substitution_stands_for_an_earlier_part() -> None:
    symbol = "_ZN11wd_parallel6reduceIPfS1_NS_3SumEfEEvT_T0_xT1_T2_"
    assert demangle(symbol).text == "wd_parallel::reduce<float*, float*, wd_parallel::Sum, float>"


def test_a_lambda_has_no_name_but_people_still_see_something() -> None:
    symbol = "_Z1kIZ5solveEUlfE_EvT_"
    with pytest.raises(Unnameable):
        demangle(symbol)
    assert pretty(symbol) == symbol


def test_only_template_instances_count_as_templates() -> None:
    assert demangle("_Z1gILi3EfEvPT0_").is_template
    assert not demangle("_Z1fPKfPfi").is_template


def test_a_pack_of_parameter_types_is_spelled_out() -> None:
    assert parameter_types("_Z1pIvJPKfS1_PfimEEvPFT_DpT0_E") == (
        "const float*",
        "const float*",
        "float*",
        "int",
        "unsigned long",
    )
    assert parameter_types("_Z1pIvJEEvPFT_DpT0_E") == ()
