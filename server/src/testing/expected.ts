import { expect } from 'vitest'

/* Vitest types its matchers as `any`, which would spread to the values beside them. */

export const anyNumber: unknown = expect.any(Number)
export const anyText: unknown = expect.any(String)

export function textWith(part: string): unknown {
  return expect.stringContaining(part)
}

export function textWithout(part: string): unknown {
  return expect.not.stringContaining(part)
}

export function textLike(pattern: RegExp): unknown {
  return expect.stringMatching(pattern)
}

export function listWith(items: readonly unknown[]): unknown {
  return expect.arrayContaining([...items])
}

export function objectWith(fields: object): unknown {
  return expect.objectContaining(fields)
}
