import * as z from 'zod/mini'
import type { Endpoint } from '../../kernel/endpoint.ts'
import { GENERAL_ERRORS, ApiError } from '../../kernel/refusal.ts'
import { ComposedResponse } from '../answers/composed.ts'

/* Checks errors and responses against the endpoint's declaration, in tests and development. */

export function requireDeclared(endpoint: Endpoint, error: unknown): unknown {
  if (!(error instanceof ApiError) || [...endpoint.errors, ...GENERAL_ERRORS].includes(error.code)) return error
  return new Error(`${endpoint.id} failed with the undeclared code ${error.code}`, { cause: error })
}

const strictOutputs = new WeakMap<Endpoint, z.ZodMiniObject>()

export function checkAnswer(endpoint: Endpoint, answer: object): void {
  let schema = strictOutputs.get(endpoint)
  if (schema === undefined) {
    schema = endpoint.output.def.catchall === undefined ? z.catchall(endpoint.output, z.never()) : endpoint.output
    strictOutputs.set(endpoint, schema)
  }
  const whole = answer instanceof ComposedResponse ? allFieldsOf(endpoint, answer) : answer
  const checked = schema.safeParse(JSON.parse(JSON.stringify(whole)))
  if (!checked.success) throw new Error(`${endpoint.id} sent an undeclared answer: ${checked.error.message}`)
}

function allFieldsOf(endpoint: Endpoint, { fields, serialized }: ComposedResponse): object {
  const whole: Record<string, unknown> = {}
  for (const part of [...fields, ...serialized.map(({ values }) => values)]) {
    const twice = Object.keys(part).find((name) => name in whole)
    if (twice !== undefined) throw new Error(`${endpoint.id} answers ${twice} twice`)
    Object.assign(whole, part)
  }
  return whole
}
