import type { Store } from '../sync/store.ts'
import type { Term } from '../../kernel/message.ts'

/** What may stand before a colon: operators that the API knows. */
const OPERATORS = ['channel', 'topic', 'sender', 'dm', 'dm-including', 'has', 'is', 'in', 'near', 'id', 'channels']

/**
 * The conditions that a search says: `channel:design sender:"Ann Lee" -is:starred words`. Names that nothing has are
 * searched for as words.
 */
export function parseSearch(query: string, store: Store): Term[] {
  const terms: Term[] = []
  const words: string[] = []
  for (const [piece, minus = '', operator = '', quoted, bare = ''] of query.matchAll(
    /(-?)(?:([a-z-]+):)(?:"([^"]*)"|(\S+))|"[^"]*"|\S+/g,
  )) {
    const operand = OPERATORS.includes(operator) ? operandOf(operator, quoted ?? bare, store) : undefined
    if (operand === undefined) words.push(piece)
    else terms.push({ operator, operand, negated: minus === '-' })
  }
  return words.length === 0 ? terms : [...terms, { operator: 'search', operand: words.join(' ') }]
}

function operandOf(operator: string, said: string, store: Store): Term['operand'] | undefined {
  if (said === '') return undefined
  const name = said.toLowerCase()
  if (operator === 'channel') {
    const channels = [...store.read('subscriptions'), ...store.read('unsubscribed'), ...store.read('never_subscribed')]
    return channels.find((channel) => channel.name.toLowerCase() === name)?.stream_id
  }
  if (operator === 'sender' || operator.startsWith('dm')) {
    if (name === 'me') return operator === 'sender' ? store.read('user_id') : [store.read('user_id')]
    const people = [...store.read('realm_users'), ...store.read('realm_non_active_users')]
    const ids = said
      .split(',')
      .map(
        (one) =>
          people.find(
            (person) => person.full_name.toLowerCase() === one.trim().toLowerCase() || person.email === one.trim(),
          )?.user_id ?? 0,
      )
    if (ids.includes(0)) return undefined
    return operator === 'dm' ? ids : ids[0]
  }
  return said
}
