import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { highlight, loadGrammar } from './code/highlighter.ts'
import { allCodeLanguages, codeLanguage } from './code/languages.ts'
import { MAX_COLORED_CHARACTERS } from './extensions/code-blocks.ts'
import { html } from './testing/context.ts'
import { assertOnlyWhitelisted } from './whitelist.ts'

function block(language: string, code: string): string {
  const label = language === '' ? '' : ` data-code-language="${language}"`
  return `<div class="codehilite"${label}><pre><span></span><code>${code}</code></pre></div>`
}

describe('Markdown code', () => {
  it.each([
    ['inline code', 'a `b *c* <d>` e', '<p>a <code>b *c* &lt;d&gt;</code> e</p>'],
    ['inline code with backticks', '`` a`b ``', '<p><code>a`b</code></p>'],
    ['a code block without a language', '```\na  b\n\n<c>\n```', block('', 'a  b\n\n&lt;c&gt;\n')],
    ['a code block between tildes', '~~~\n```\n~~~', block('', '```\n')],
    ['an unclosed code block', '```\na', block('', 'a\n')],
    ['indented code', '    a\n    *b*', block('', 'a\n*b*\n')],
    ['a code block right after text', 'a\n```\nb\n```\nc', `<p>a</p>\n${block('', 'b\n')}\n<p>c</p>`],
    ['a code block in a list', '- a\n  ```\n  b\n  ```', `<ul>\n<li>a${block('', 'b\n')}\n</li>\n</ul>`],
    ['a code block in an unknown language', '```klingon\na < b\n```', block('klingon', 'a &lt; b\n')],
    ['a code block marked as text', '```text\na\n```', block('Text only', 'a\n')],
    ['a code block with a language in braces', '``` {.py}\na\n```', block('Python', 'a\n')],
    [
      'Markdown in a code block as text',
      '```\n@**Ann Lee** :tada: $$x$$ #12\n```',
      block('', '@**Ann Lee** :tada: $$x$$ #12\n'),
    ],
  ])('renders %s', async (_promise, source, expected) => {
    expect(await html(source)).toBe(expected)
  })

  it('highlights code and names its language', async () => {
    expect(await html('```py\ndef f(x):\n    return "a" + 1  # c\n```')).toBe(
      block(
        'Python',
        '<span class="k">def</span> <span class="nf">f</span>(x):\n    <span class="k">return</span> ' +
          '<span class="s">&quot;a&quot;</span> + <span class="m">1</span>  <span class="c"># c</span>\n',
      ),
    )
  })

  it('uses the default language of the organization for unmarked code', async () => {
    const python = { defaultCodeLanguage: 'python' }
    expect(await html('```\nNone\n```', python)).toBe(block('Python', '<span class="kc">None</span>\n'))
    expect(await html('```text\nNone\n```', python)).toBe(block('Text only', 'None\n'))
  })

  it('highlights code the same way after other languages were used', async () => {
    const source = '```html\n<script>let a = 1</script><style>b { c: d }</style>\n```'
    const first = await html(source)
    for (const name of ['handlebars', 'js', 'css', 'php']) await html(`\`\`\`${name}\na\n\`\`\``)
    expect(await html(source)).toBe(first)
    expect(first).toContain('<span class="k">let</span>')
  })

  it('stops highlighting code beyond the limit, but shows all of the code', async () => {
    const line = 'None = 1\n'
    const lines = Math.ceil(MAX_COLORED_CHARACTERS / line.length) + 10
    const rendered = await html(`\`\`\`py\n${line.repeat(lines)}\`\`\``)
    expect(rendered.match(/None/g)).toHaveLength(lines)
    expect(rendered.match(/class="kc"/g)).toHaveLength(Math.floor(MAX_COLORED_CHARACTERS / line.length))
  })

  it('does not highlight a very long line', async () => {
    expect(await html(`\`\`\`py\nNone ${'a'.repeat(500)}\n\`\`\``)).toBe(block('Python', `None ${'a'.repeat(500)}\n`))
  })
})

describe('code languages', () => {
  const require = createRequire(import.meta.url)
  const grammars = [...new Set(allCodeLanguages().flatMap(({ grammar, embedded }) => [grammar ?? [], embedded].flat()))]

  it('has a grammar for each code language', () => {
    for (const grammar of grammars) expect(() => require.resolve(`highlight.js/lib/languages/${grammar}`)).not.toThrow()
  })

  it('finds a code language by name, ignoring case', () => {
    expect(codeLanguage('PY')?.displayName).toBe('Python')
    expect(codeLanguage('c++')?.displayName).toBe('C++')
    expect(codeLanguage('toString')).toBeUndefined()
  })

  const sample =
    '<?php class A { /* c */ function b($c) { return "d\\n" . 1.5; } }\n# e\n<a href="f">g</a>\nlet h = `i${j}`;'

  it('preserves every character of the code when highlighting it', async () => {
    for (const language of allCodeLanguages()) {
      const { grammar } = language
      if (grammar === undefined) continue
      await loadGrammar(language)
      const pieces = highlight(sample, grammar)
      expect([grammar, pieces?.map(([, text]) => text).join('')]).toEqual([grammar, sample])
      assertOnlyWhitelisted(await html(`\`\`\`${grammar}\n${sample}\n\`\`\``))
    }
  })
})
