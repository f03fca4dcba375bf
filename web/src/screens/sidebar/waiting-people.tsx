import { ta } from '../../kernel/administration.ts'
import { WAITING_PAGE } from '../../capabilities/invitations/state.ts'
import { waitingCount } from '../../capabilities/invitations/inviting.ts'
import { Item, matchesFilter } from './item.tsx'

export function WaitingPeople() {
  const title = ta().invitations.waitingBriefly
  if (!matchesFilter(title)) return null
  return (
    <ul class="sidebar-list">
      <li>
        <Item to={WAITING_PAGE} icon="person" size={waitingCount.value}>
          <bdi>{title}</bdi>
        </Item>
      </li>
    </ul>
  )
}
