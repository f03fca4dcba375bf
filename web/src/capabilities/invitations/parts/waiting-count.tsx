import { ta } from '../../../kernel/administration.ts'
import { useWaiting } from '../state.ts'

/** How many people wait for a link, beside the title of the page that has them. */
export function WaitingCount() {
  const { length } = useWaiting()
  if (length === 0) return null
  return (
    <span class="badge mine">
      <span aria-hidden="true">{length}</span>
      <span class="visually-hidden">{ta().invitations.waitingCount(length)}</span>
    </span>
  )
}
