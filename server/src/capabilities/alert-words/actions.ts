import { caseKey } from '../../kernel/case-key.ts'
import type { Input, Output } from '../../kernel/endpoint.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { ActorTx } from '../../kernel/transaction.ts'
import type * as contract from './contract.ts'
import { alertWordsChanged, ALERT_WORD_LIMIT } from './contract.ts'
import { alertWordsProjection, alertWordsOf } from './queries.ts'

export async function addAlertWords(
  tx: ActorTx,
  input: Input<typeof contract.addAlertWords>,
): Promise<Output<typeof contract.addAlertWords>> {
  const stored = alertWordsOf(tx.organization, tx.actor.userId)
  const byKey = new Map(stored.map((word) => [caseKey(word), word]))
  const added = new Map<string, string>()
  for (const word of input.alert_words.map((given) => given.trim())) {
    const key = caseKey(word)
    if (word !== '' && !byKey.has(key) && !added.has(key)) added.set(key, word)
  }
  if (added.size === 0) return { alert_words: stored }
  if (stored.length + added.size > ALERT_WORD_LIMIT.most) {
    throw new ApiError('BAD_REQUEST', `You can have at most ${ALERT_WORD_LIMIT.most} alert words.`)
  }
  await tx.db
    .insertInto('alert_words')
    .values(
      [...added].map(([word_key, word]) => ({
        organization_id: tx.organizationId,
        user_id: tx.actor.userId,
        word_key,
        word,
        id: tx.nextId(),
      })),
    )
    .execute()
  return emitAlertWords(tx, [...stored, ...added.values()])
}

export async function removeAlertWords(
  tx: ActorTx,
  input: Input<typeof contract.removeAlertWords>,
): Promise<Output<typeof contract.removeAlertWords>> {
  const stored = alertWordsOf(tx.organization, tx.actor.userId)
  const removed = new Set(input.alert_words.map((word) => caseKey(word.trim())))
  const left = stored.filter((word) => !removed.has(caseKey(word)))
  if (left.length === stored.length) return { alert_words: stored }
  await tx.db
    .deleteFrom('alert_words')
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', tx.actor.userId)
    .where('word_key', 'in', [...removed])
    .execute()
  return emitAlertWords(tx, left)
}

function emitAlertWords(tx: ActorTx, words: string[]): { alert_words: string[] } {
  tx.change(alertWordsProjection, { userId: tx.actor.userId, words })
  tx.emit(alertWordsChanged, { alert_words: words }, { users: [tx.actor.userId] })
  return { alert_words: words }
}
