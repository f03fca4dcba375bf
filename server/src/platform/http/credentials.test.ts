import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { basic } from '../../testing/user.ts'
import { basicCredentials, clientName } from './credentials.ts'

describe('Basic credentials', () => {
  it('decodes the username and password around the first colon', () => {
    const text = fc.string({ unit: 'grapheme' })
    const username = text.filter((name) => !name.includes(':'))
    fc.assert(
      fc.property(username, text, (name, password) => {
        expect(basicCredentials(basic(name, password))).toEqual({ username: name, password })
      }),
    )
  })

  it('classifies Authorization headers other than Basic as malformed or absent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), (header) => {
        expect(typeof basicCredentials(`Bearer ${header}`)).toBe('string')
      }),
    )
    expect(basicCredentials(undefined)).toBe('absent')
    expect(basicCredentials('')).toBe('absent')
    expect(basicCredentials(`Basic ${'a'.repeat(100_000)} b`)).toBe('malformed')
    expect(basicCredentials(`Basic${' '.repeat(100_000)}\t`)).toBe('malformed')
  })
})

describe('client names', () => {
  it.each([
    ['Parley/1.0 (linux)', 'Parley'],
    ['python-requests/2.31', 'python-requests'],
    ['Mozilla/5.0 (X11; Linux x86_64)', 'website'],
    ['', 'unspecified'],
    ['(nothing)', 'unspecified'],
    [undefined, 'unspecified'],
    ['x'.repeat(1_000), 'x'.repeat(30)],
  ])('maps the user agent %s to the client name %s', (header, name) => {
    expect(clientName(header)).toBe(name)
  })
})
