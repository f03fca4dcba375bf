import { preference } from '../../platform/preferences.ts'

/** Parts that are remembered; those that were changed long ago are as they are at first again. */
const MOST_PARTS = 200

/** Which parts of the sidebar are not as they are at first: sections are unfolded, channels and what is seldom read folded. */
const changed = preference(
  'sidebar',
  [],
  (kept): kept is readonly string[] => Array.isArray(kept) && kept.every((part) => typeof part === 'string'),
)

/** Whether a part of the sidebar is otherwise than at first. */
export function isChanged(part: string): boolean {
  return changed.read().includes(part)
}

/** Folds what is unfolded, or the other way round. */
export function change(part: string): void {
  const before = changed.read()
  const others = before.filter((one) => one !== part)
  void changed.write(others.length < before.length ? others : [...others, part].slice(-MOST_PARTS))
}
