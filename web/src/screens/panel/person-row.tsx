import { openPerson } from '../../capabilities/users/menu.ts'
import { Avatar } from '../../capabilities/users/parts/avatar.tsx'
import { PresenceDot } from '../../capabilities/users/parts/presence.tsx'
import { userName } from '../../capabilities/users/state.ts'

/** How high a row is. */
export const ROW_PIXELS = 36

/** A person in a list, whose card it opens. */
export function PersonRow({ userId }: { readonly userId: number }) {
  return (
    <button class="person-row" aria-haspopup="menu" onClick={({ currentTarget }) => openPerson(currentTarget, userId)}>
      <span class="person-picture">
        <Avatar userId={userId} size={24} />
        <PresenceDot userId={userId} />
      </span>
      <bdi>{userName(userId)}</bdi>
    </button>
  )
}
