import { ta } from '../../../kernel/administration.ts'
import { waitingCount } from '../waiting-count.ts'

export function WaitingCount() {
  const number = waitingCount.value
  if (number === 0) return null
  return (
    <span class="badge mine">
      <span aria-hidden="true">{number}</span>
      <span class="visually-hidden">{ta().invitations.waitingCount(number)}</span>
    </span>
  )
}
