import type { Conversation } from '../../../kernel/route.ts'
import { t } from '../../../kernel/strings.ts'
import { store } from '../../../platform/client.ts'
import { holdersOf } from '../../groups/members.ts'
import { mayWriteTo } from '../../users/rights.ts'
import { userById, userName } from '../../users/state.ts'
import type { Warning } from './warning.ts'

/** Warns if the user cannot send a direct message to these people. */
export function aboutPeople({ userIds }: Extract<Conversation, { view: 'direct' }>): readonly Warning[] {
  const gone = userIds.filter((id) => userById(id)?.is_active !== true)
  const rest = userIds.filter((id) => !gone.includes(id))
  if (gone.length > 0) {
    const action =
      rest.length === 0
        ? undefined
        : ({
            title: t().warnings.leaveOut,
            run: (writing) => writing.redirect({ view: 'direct', userIds: rest }),
          } satisfies Warning['action'])
    return [{ key: 'gone', text: t().warnings.gone(gone.map(userName)), ...(action && { action }) }]
  }
  if (mayWriteTo(userIds)) return []
  const holders = holdersOf(store().read('realm_direct_message_permission_group'))
  return [{ key: 'denied', text: t().warnings.mayNotWriteTo(holders) }]
}
