import { caseKey } from '../../kernel/case-key.ts'
import type { Condition } from './rules.ts'

/** Adds a value to a statement's parameters and returns its placeholder. */
export type Bind = (value: unknown) => string

/**
 * A condition over a message `m` of a topic `t`, in SQL. The same question as `matchesNarrow` answers.
 * `$1` is the organization.
 */
export function conditionSql(condition: Condition, bind: Bind): string {
  const positive = positiveSql(condition, bind)
  return condition.negated ? `not (${positive})` : positive
}

function positiveSql(condition: Condition, bind: Bind): string {
  switch (condition.kind) {
    case 'channel':
      return `coalesce(m.channel_id = ${bind(condition.channelId)}::bigint, false)`
    case 'topic':
      return `(m.channel_id is not null and t.name_key = ${bind(caseKey(condition.topic))}::text)`
    case 'sender':
      return `m.sender_id = ${bind(condition.userId)}::bigint`
    case 'dm':
      return `m.topic_id = coalesce((select c.topic_id from conversations c
        where c.organization_id = $1 and c.member_ids = ${bind(condition.memberIds)}::bigint[]), 0)`
    case 'id':
      return `m.id = ${bind(condition.messageId)}::bigint`
  }
}
