import { ta } from '../../../kernel/administration.ts'
import { t } from '../../../kernel/strings.ts'
import { store } from '../../../platform/client.ts'
import { EmptyState } from '../../../platform/list/states.tsx'
import { Avatar } from '../../users/parts/avatar.tsx'
import { userName } from '../../users/state.ts'
import { unblockUser } from '../actions.ts'

export function BlockedPeople() {
  const blocked = store().read('blocked_users') ?? []
  if (blocked.length === 0) return <EmptyState icon="block" title={ta().blocking.nobody} more={ta().blocking.how} />
  return (
    <ul class="listed" aria-label={ta().blocking.title}>
      {blocked.map((userId) => (
        <li key={userId} class="listed-row">
          <Avatar userId={userId} size={24} />
          <bdi class="listed-name">{userName(userId)}</bdi>
          <button
            class="button"
            aria-label={ta().blocking.unblock(userName(userId))}
            onClick={() => void unblockUser(userId)}
          >
            {t().people.unblock}
          </button>
        </li>
      ))}
    </ul>
  )
}
