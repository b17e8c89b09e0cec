; What has which colour in CUDA text, for the grammar tree-sitter-cuda.
;
; A capture is one of `KINDS` in cuda_syntax.py; where several take the same characters, the kind that stands
; later there has them, whatever the order here. Words are told by their own text as much as by where they
; stand: code that is being typed, or one line of a file, has no whole tree around it to go by.

; Names

[(primitive_type) (namespace_identifier)] @type
((type_identifier) @type (#not-match? @type "^[A-Z][A-Z0-9_]+$"))
["signed" "unsigned" "long" "short"] @type
((identifier) @type
  (#match? @type "^((__)?(half|nv_bfloat16)2?|dim3|void|bool|size_t|(u?(char|short|int|longlong)|float|double)[1-4]?|u?int(8|16|32|64)_t)$"))

(call_expression function: [
  (identifier) @function
  (qualified_identifier name: (identifier) @function)
  (field_expression field: (field_identifier) @function)
])
(template_function name: (identifier) @function)
(function_declarator declarator: (identifier) @function)
(preproc_function_def name: (identifier) @function)
(ERROR (identifier) @function . "(")

; A macro, or another name of a number that does not change: also where it could be a type.
([(identifier) (type_identifier)] @number (#match? @number "^[A-Z][A-Z0-9_]+$"))

; Numbers, strings, comments

[(number_literal) (user_defined_literal) (true) (false) (null)] @number
[(string_literal) (raw_string_literal) (char_literal) (system_lib_string)] @string
(escape_sequence) @escape
(comment) @comment

; The preprocessor. What a macro stands for is only text to the grammar: it is parsed on its own.

["#include" "#define" "#if" "#ifdef" "#ifndef" "#elif" "#elifdef" "#elifndef" "#else" "#endif" "defined"]
  @directive
(preproc_directive) @directive
(preproc_call argument: (preproc_arg) @directive)
(preproc_def value: (preproc_arg) @macro)
(preproc_function_def value: (preproc_arg) @macro)

; Words of C++

[
  "alignas" "alignof" "asm" "break" "case" "catch" "class" "concept" "const" "consteval" "constexpr"
  "constinit" "continue" "decltype" "default" "delete" "do" "else" "enum" "explicit" "extern" "final" "for"
  "friend" "goto" "if" "inline" "mutable" "namespace" "new" "noexcept" "operator" "override" "private"
  "protected" "public" "register" "requires" "restrict" "return" "sizeof" "static" "static_assert" "struct"
  "switch" "template" "thread_local" "throw" "try" "typedef" "typename" "union" "using" "virtual"
  "volatile" "while" "__asm__" "__asm" "__volatile__" "__inline__" "__inline"
] @keyword
[(auto) (this)] @keyword
((identifier) @keyword (#match? @keyword "^((static|reinterpret|const|dynamic)_cast|auto|const|else)$"))

; What CUDA adds: words for the compiler, where a thread stands, launches, what the hardware does

[
  "__constant__" "__device__" "__forceinline__" "__global__" "__grid_constant__" "__host__"
  "__launch_bounds__" "__managed__" "__noinline__" "__restrict__" "__shared__" "<<<" ">>>"
] @cuda
([(identifier) (type_identifier)] @cuda
  (#match? @cuda "^(__[a-z_]+__|(thread|block)Idx|(block|grid)Dim|warpSize)$"))
((identifier) @builtin
  (#match? @builtin "^(__[a-z]|atomic[A-Z]|cuda[A-Z]|make_(u?(char|short|int|long|longlong)|float|double)[1-4]$)"))
