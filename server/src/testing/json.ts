import type { Body } from './contract-types.ts'

export function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}

/** @throws Error if the value is not a list of JSON objects */
export function objectsIn(value: unknown): Body[] {
  if (!isList(value) || !value.every(isObject)) throw new Error(`not a list of JSON objects: ${JSON.stringify(value)}`)
  return [...value]
}

/** @throws Error if the text is not a JSON object */
export function parseObject(text: string): Body {
  const value: unknown = JSON.parse(text)
  if (!isObject(value)) throw new Error(`not a JSON object: ${text}`)
  return value
}
