import type { Place } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { isMutedUser, userName } from '../users/state.ts'
import { typistsIn } from './state.ts'

const MAX_NAMED_TYPISTS = 3

/** Shows who is typing. The line is always reserved, so that nothing moves. */
export function Typists({ place }: { readonly place: Place }) {
  const ids = typistsIn(place).filter((id) => !isMutedUser(id))
  const text =
    ids.length === 0 ? '' : ids.length > MAX_NAMED_TYPISTS ? t().place.typingMany : t().place.typing(ids.map(userName))
  return (
    <p class="typists" aria-live="off">
      {text}
    </p>
  )
}
