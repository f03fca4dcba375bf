import { userById } from '../state.ts'

/** Has no label, because the name is always beside it. */
export function Avatar({ userId, size = 36 }: { readonly userId: number; readonly size?: number }) {
  const source = userById(userId)?.avatar_url ?? `/avatar/${userId}`
  // `loading` precedes `src`, because browsers would otherwise load every picture immediately.
  return <img class="avatar" loading="lazy" decoding="async" src={source} alt="" width={size} height={size} />
}
