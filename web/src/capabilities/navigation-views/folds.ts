import { preference } from '../../platform/preferences.ts'

/** Limit of remembered parts. The oldest parts return to their default. */
const MOST_PARTS = 200

/**
 * Sidebar parts that differ from their default. Sections are expanded by default, channels and secondary items
 * collapsed.
 */
const changed = preference(
  'sidebar',
  [],
  (kept): kept is readonly string[] => Array.isArray(kept) && kept.every((part) => typeof part === 'string'),
)

export function isChanged(part: string): boolean {
  return changed.read().includes(part)
}

export function change(part: string): void {
  const before = changed.read()
  const others = before.filter((one) => one !== part)
  void changed.write(others.length < before.length ? others : [...others, part].slice(-MOST_PARTS))
}
