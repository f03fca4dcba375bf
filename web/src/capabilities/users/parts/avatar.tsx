import { shownName } from '../../muted-users/state.ts'
import { userById } from '../state.ts'

/** URL path of the pictures that the server draws for people who have not uploaded one. */
const GENERATED_AVATAR_PREFIX = '/avatar/'

/** Degrees between the hues of consecutive user IDs: the golden angle, which repeats no hue. */
const HUE_STEP_DEGREES = 137.5

/** Smaller pictures have room for one letter only. */
const MIN_SIZE_FOR_TWO_LETTERS_PIXELS = 18

interface AvatarProps {
  readonly userId: number
  readonly size?: number
  readonly hasOneLetter?: boolean
}

/** Shows a person's picture, or else initials. Has no label, because the name is always beside it. */
export function Avatar({ userId, size = 36, hasOneLetter = size < MIN_SIZE_FOR_TWO_LETTERS_PIXELS }: AvatarProps) {
  const source = userById(userId)?.avatar_url ?? GENERATED_AVATAR_PREFIX
  if (source.startsWith(GENERATED_AVATAR_PREFIX)) {
    const hue = String((userId * HUE_STEP_DEGREES) % 360)
    const style = { '--hue': hue, '--given-size': `${size}px` }
    const all = initialsOf(shownName(userId))
    const initials = hasOneLetter ? [...all][0] : all
    return <span class="avatar initials" aria-hidden="true" data-initials={initials} style={style} />
  }
  // `loading` precedes `src`, because browsers would otherwise load every picture immediately.
  return <img class="avatar" loading="lazy" decoding="async" src={source} alt="" width={size} height={size} />
}

/** Size of each of two overlapping pictures in proportion to both. */
const PAIR_SCALE = 0.72

/** Shows a person, or the first two people of a group. */
export function GroupAvatar({ userIds, size }: { readonly userIds: readonly number[]; readonly size: number }) {
  const [first = 0, second] = userIds
  if (second === undefined) return <Avatar userId={first} size={size} />
  return (
    <span class="avatar-pair" style={{ '--given-size': `${size}px` }}>
      {[first, second].map((userId) => (
        <Avatar key={userId} userId={userId} size={Math.round(size * PAIR_SCALE)} hasOneLetter />
      ))}
    </span>
  )
}

function initialsOf(name: string): string {
  const letters = name.split(/\s/).flatMap((word) => /[\p{L}\p{N}]\p{M}*/u.exec(word)?.[0] ?? [])
  return [letters[0] ?? '?', ...letters.slice(1).slice(-1)].join('').toLocaleUpperCase()
}
