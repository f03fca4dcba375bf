import type { Entrance } from '../../kernel/entrance.ts'
import { Join } from './join.tsx'

/** A page for people who are not signed in. */
export function EntrancePage({ entrance }: { readonly entrance: Entrance }) {
  switch (entrance.page) {
    case 'join':
      return <Join token={entrance.token} />
  }
}
