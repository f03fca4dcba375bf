import { openPerson } from '../../capabilities/users/card.ts'
import { Avatar } from '../../capabilities/users/parts/avatar.tsx'
import { GuestMark } from '../../capabilities/users/parts/guest-mark.tsx'
import { PresenceDot, PresenceWord } from '../../capabilities/users/parts/presence.tsx'
import { StatusSign } from '../../capabilities/users/parts/status-sign.tsx'
import { userName } from '../../capabilities/users/state.ts'

export const ROW_PIXELS = 36

/** A person in a list. Opens the person's card. */
export function PersonRow({ userId }: { readonly userId: number }) {
  return (
    <button
      class="person-row"
      data-person={userId}
      aria-haspopup="dialog"
      onClick={({ currentTarget }) => openPerson(currentTarget, userId)}
    >
      <span class="person-picture">
        <Avatar userId={userId} size={24} />
        <PresenceDot userId={userId} />
      </span>
      <bdi>{userName(userId)}</bdi>
      <GuestMark userId={userId} />
      <PresenceWord userId={userId} />
      <StatusSign userId={userId} />
    </button>
  )
}
