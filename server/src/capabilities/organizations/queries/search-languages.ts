import type { OrganizationState } from '../../../kernel/projection.ts'

/** Returns the names of PostgreSQL's stemmers, such as `german`. */
export function searchLanguagesOf(_organization: OrganizationState): readonly string[] {
  return ['english']
}
