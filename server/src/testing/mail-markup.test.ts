import { expect, it } from 'vitest'
import { mailMarkupFaults } from './mail-markup.ts'

it.each([
  ['a style sheet', '<html lang="en"><head><style>p{margin:0}</style></head></html>', ['<style>']],
  ['an image', '<p><img src="https://example.org/a.png" alt="" /></p>', ['<img>', 'src of <img>', 'alt of <img>']],
  ['a class', '<p class="lead">Hello</p>', ['class of <p>']],
  ['a layout', '<p style="display:flex;gap:4px">Hello</p>', ['gap of <p>', 'display:flex of <p>']],
  ['a centering margin', '<td style="margin:0 auto">Hello</td>', ['margin:0 auto of <td>']],
  [
    'a translucent border',
    '<p style="border:1px solid rgba(0,0,0,.5)">Hi</p>',
    ['border:1px solid rgba(0,0,0,.5) of <p>'],
  ],
  ['a variable', '<p style="margin:var(--gap)">Hello</p>', ['margin:var(--gap) of <p>']],
  [
    'a text color without a background color',
    '<p>It is <span style="color:#222222">dark</span></p>',
    ['one color of <span>'],
  ],
])('finds %s in an email', (_, html, faults) => {
  expect(mailMarkupFaults(`<!doctype html>${html}`)).toEqual(faults)
})

it('accepts markup that all email programs support', () => {
  const html =
    '<table role="presentation" width="576"><tr><td style="padding:8px;color:#ffffff;background-color:#2f5bd7">Hi</td></tr></table>'
  expect(mailMarkupFaults(html)).toEqual([])
})
