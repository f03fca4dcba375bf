import { userById } from '../state.ts'

/** The picture of a person, which says nothing to screen readers: the name stands beside it. */
export function Avatar({ userId, size = 36 }: { readonly userId: number; readonly size?: number }) {
  const source = userById(userId)?.avatar_url ?? `/avatar/${userId}`
  return <img class="avatar" src={source} alt="" width={size} height={size} loading="lazy" decoding="async" />
}
