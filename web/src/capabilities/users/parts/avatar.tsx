import { shownName } from '../../muted-users/state.ts'
import { userById } from '../state.ts'

/** URL path of the pictures that the server draws for people who have not uploaded one. */
const GENERATED_AVATAR_PREFIX = '/avatar/'

/** Degrees between the hues of consecutive user IDs: the golden angle, which repeats no hue. */
const HUE_STEP_DEGREES = 137.5

/** Shows a person's picture, or else initials. Has no label, because the name is always beside it. */
export function Avatar({ userId, size = 36 }: { readonly userId: number; readonly size?: number }) {
  const source = userById(userId)?.avatar_url ?? GENERATED_AVATAR_PREFIX
  if (source.startsWith(GENERATED_AVATAR_PREFIX)) {
    const hue = String((userId * HUE_STEP_DEGREES) % 360)
    const style = { '--hue': hue, '--given-size': `${size}px` }
    return (
      <span class="avatar initials" aria-hidden="true" data-initials={initialsOf(shownName(userId))} style={style} />
    )
  }
  // `loading` precedes `src`, because browsers would otherwise load every picture immediately.
  return <img class="avatar" loading="lazy" decoding="async" src={source} alt="" width={size} height={size} />
}

function initialsOf(name: string): string {
  const letters = name.split(/\s/).flatMap((word) => /[\p{L}\p{N}]\p{M}*/u.exec(word)?.[0] ?? [])
  return [letters[0] ?? '?', ...letters.slice(1).slice(-1)].join('').toLocaleUpperCase()
}
