export interface CodeLanguage {
  readonly displayName: string
  readonly grammar: string | undefined
  readonly embedded: readonly string[]
}

/** `display name | aliases | grammar | embedded grammars`; the grammar defaults to the first alias. */
const LANGUAGE_LIST = `
Ada|ada|
Apache Configuration|apacheconf apache aconf|apache
AppleScript|applescript osascript
Arduino|arduino ino
AsciiDoc|asciidoc adoc||xml
Awk|awk gawk mawk
Bash|bash sh zsh ksh shell shellscript
Bash Session|console shell-session shellsession sh-session terminal|shell|bash
Batchfile|bat batch dosbatch winbatch cmd dos|dos
BASIC|basic qbasic
BNF|bnf
C|c h
C#|csharp c# cs dotnet
C++|cpp c++ cc cxx hpp hxx hh
Clojure|clojure clj edn cljs clojurescript
CMake|cmake
CoffeeScript|coffeescript coffee coffee-script||javascript
Common Lisp|common-lisp cl lisp|lisp
Coq|coq
Crystal|crystal cr
CSS|css
D|d
Dart|dart
Delphi|delphi pas pascal objectpascal
Diff|diff udiff patch
Django/Jinja|django jinja jinja2||xml
Docker|docker dockerfile containerfile|dockerfile|bash
EBNF|ebnf
Elixir|elixir ex exs
Elm|elm
Emacs Lisp|emacs-lisp elisp emacs|lisp
ERB|erb||xml ruby
Erlang|erlang erl
F#|fsharp f# fs
Fortran|fortran f90 f95
Gherkin|gherkin cucumber feature
GLSL|glsl
Go|go golang
GraphQL|graphql gql
Gradle|gradle
Groovy|groovy
Haml|haml||ruby
Handlebars|handlebars hbs html+handlebars||xml
Haskell|haskell hs
Haxe|haxe hx
HTML|html htm xhtml svg vue|xml|css javascript
HTTP|http
INI|ini cfg dosini
Java|java jsp
JavaScript|javascript js jsx mjs cjs node||xml css
JSON|json jsonc json5 jsonl ndjson
Julia|julia jl
Kotlin|kotlin kt kts
Less|less
LLVM|llvm
Lua|lua
Makefile|makefile make mf bsdmake|makefile
Markdown|markdown md||xml
Mathematica|mathematica mma wolfram wl
Matlab|matlab octave
Nginx configuration file|nginx nginxconf
Nim|nim nimrod
Nix|nix nixos
NSIS|nsis nsi nsh
Objective-C|objective-c objc obj-c objectivec|objectivec
OCaml|ocaml ml
Perl|perl pl pm
PHP|php php3 php4 php5
PostgreSQL SQL dialect|postgresql postgres pgsql|pgsql
PowerShell|powershell pwsh posh ps1 psm1
Processing|processing pde
Prolog|prolog
Properties|properties jproperties
Protocol Buffer|protobuf proto
Puppet|puppet pp
Python|python py python3 py3 sage pyi bazel starlark
Python console session|pycon python-console python-repl|python-repl|python
QML|qml||xml
R|r s splus rlang
ReasonML|reasonml reason
Ruby|ruby rb gemspec rake
Rust|rust rs
Scala|scala
Scheme|scheme scm racket rkt
SCSS|scss sass
Smalltalk|smalltalk squeak st
SQL|sql mysql sqlite sqlite3 plsql tsql
Stylus|stylus styl
Swift|swift
Systemd|systemd desktop|ini
TAP|tap||yaml
Tcl|tcl tk
TeX|tex latex|latex
Thrift|thrift
TOML|toml|ini
Twig|twig||xml
TypeScript|typescript ts tsx mts cts||xml css
Vala|vala
VB.net|vb.net vbnet visualbasic|vbnet
VBScript|vbscript vbs
verilog|verilog v systemverilog sv
vhdl|vhdl
VimL|vim viml vimscript
WebAssembly|wasm wast wat
x86 Assembly|asm nasm x86asm assembly|x86asm
XML|xml xsl xslt rss atom wsdl xsd plist|xml|css javascript
YAML|yaml yml
Text only|text plain plaintext txt none output|-
`

let languagesByName: ReadonlyMap<string, CodeLanguage> | undefined

export function codeLanguage(name: string): CodeLanguage | undefined {
  languagesByName ??= readLanguages()
  return languagesByName.get(name.toLowerCase())
}

export function allCodeLanguages(): readonly CodeLanguage[] {
  languagesByName ??= readLanguages()
  return [...new Set(languagesByName.values())]
}

function readLanguages(): ReadonlyMap<string, CodeLanguage> {
  const languages = new Map<string, CodeLanguage>()
  for (const line of LANGUAGE_LIST.trim().split('\n')) {
    const [displayName = '', nameList = '', grammar = '', embedded = ''] = line.split('|')
    const names = nameList.split(' ')
    const language = {
      displayName,
      grammar: grammar === '-' ? undefined : grammar || names[0],
      embedded: embedded.split(' ').filter((name) => name !== ''),
    }
    for (const name of names) languages.set(name, language)
  }
  return languages
}
