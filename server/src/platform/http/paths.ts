import * as z from 'zod/mini'
import type { Endpoint } from '../../kernel/endpoint.ts'

export const API_PREFIX = '/api/v1'

const PARAMETER_PATTERN = /:(\w+)(\*?)/g

/** Returns the router's pattern. Integers match only digits, to separate `/users/:user_id` from `/users/:email`. */
export function routePattern(endpoint: Endpoint): string {
  return withParameters(endpoint, (name, kind) => {
    if (kind === 'rest') return '*'
    return kind === 'integer' ? `:${name}(^\\d+$)` : `:${name}`
  })
}

export function restParameter(endpoint: Endpoint): string | undefined {
  return [...endpoint.path.matchAll(PARAMETER_PATTERN)].find(([, , rest]) => rest === '*')?.[1]
}

export function allowedMethods(endpoints: readonly Endpoint[]): (path: string) => string[] {
  const patterns = endpoints.map((endpoint) => ({
    method: endpoint.method,
    pattern: new RegExp(`^${withParameters(endpoint, (_, kind) => KIND_PATTERNS[kind])}$`),
  }))
  return (path) => {
    const found = new Set<string>(patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))
    if (found.has('GET')) found.add('HEAD')
    return [...found].toSorted()
  }
}

type ParameterKind = 'text' | 'integer' | 'rest'

const KIND_PATTERNS: Readonly<Record<ParameterKind, string>> = { text: '[^/]+', integer: '\\d+', rest: '.+' }

function withParameters(endpoint: Endpoint, pattern: (name: string, kind: ParameterKind) => string): string {
  return (
    API_PREFIX +
    endpoint.path.replace(PARAMETER_PATTERN, (_, name: string, rest: string) => {
      if (rest === '*') return pattern(name, 'rest')
      return pattern(name, endpoint.input.shape[name] instanceof z.ZodMiniNumber ? 'integer' : 'text')
    })
  )
}
