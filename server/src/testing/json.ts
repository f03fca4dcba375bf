import type { Body } from './contract-types.ts'

function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** @throws Error if the text is not a JSON object */
export function parseObject(text: string): Body {
  const value: unknown = JSON.parse(text)
  if (!isObject(value)) throw new Error(`not a JSON object: ${text}`)
  return value
}
