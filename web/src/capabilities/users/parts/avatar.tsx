import { userById } from '../state.ts'

/** The picture of a person, which says nothing to screen readers: the name stands beside it. */
export function Avatar({ userId, size = 36 }: { readonly userId: number; readonly size?: number }) {
  const source = userById(userId)?.avatar_url ?? `/avatar/${userId}`
  // Lazy before it has a source, or the browser begins with each at once.
  return <img class="avatar" loading="lazy" decoding="async" src={source} alt="" width={size} height={size} />
}
