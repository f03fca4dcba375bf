import { z } from 'zod'
import type { Endpoint } from '../../kernel/endpoint.ts'

export const API_PREFIX = '/api/v1'

/** The router's pattern: `/users/:user_id` matches digits only where the parameter is an integer, so `/users/:email` can follow. */
export function routePattern(endpoint: Endpoint): string {
  return withParameters(endpoint, (name, isInteger) => (isInteger ? `:${name}(^\\d+$)` : `:${name}`))
}

/** Says which methods a path has; for those that ask with another. */
export function allowedMethods(endpoints: readonly Endpoint[]): (path: string) => string[] {
  const patterns = endpoints.map((endpoint) => ({
    method: endpoint.method,
    pattern: new RegExp(`^${withParameters(endpoint, (_, isInteger) => (isInteger ? '\\d+' : '[^/]+'))}$`),
  }))
  return (path) => {
    const found = new Set<string>(patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))
    if (found.has('GET')) found.add('HEAD')
    return [...found].toSorted()
  }
}

function withParameters(endpoint: Endpoint, pattern: (name: string, isInteger: boolean) => string): string {
  return (
    API_PREFIX +
    endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
      pattern(name, endpoint.input.shape[name] instanceof z.ZodNumber),
    )
  )
}
