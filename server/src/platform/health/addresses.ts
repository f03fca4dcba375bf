import { formatCount } from '../../kernel/phrases.ts'
import type { Address } from '../http/routing.ts'
import type { Health, Problem } from './health.ts'

const TEXT_HEADERS = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }

/** `/healthz` reports that the process is alive; `/readyz`, whether it can take requests. Neither names hosts. */
export function healthAddresses(health: Health): readonly Address[] {
  return [
    {
      method: 'GET',
      path: '/healthz',
      answer(exchange) {
        exchange.send(200, TEXT_HEADERS, 'The process is alive.\n')
      },
    },
    {
      method: 'GET',
      path: '/readyz',
      async answer(exchange) {
        const problems = await health.problems()
        if (problems.length === 0) exchange.send(200, TEXT_HEADERS, 'Ready.\n')
        else
          exchange.send(503, { ...TEXT_HEADERS, 'retry-after': '1' }, `${problems.map(describeProblem).join('\n')}\n`)
      },
    },
  ]
}

function describeProblem(problem: Problem): string {
  switch (problem.what) {
    case 'database_read_only':
      return 'The database is read-only.'
    case 'database_unreachable':
      return 'The database is unreachable.'
    case 'database_full':
      return 'The database is out of space.'
    case 'database_silent':
      return `The database has not responded for ${formatCount(problem.seconds, 'second', 'seconds')}.`
    case 'events_behind':
      return `Events of ${formatCount(problem.organizations, 'organization', 'organizations')} have not been applied here for ${formatCount(problem.seconds, 'second', 'seconds')}.`
  }
}
