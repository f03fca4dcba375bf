import type { Strings } from '../en/index.ts'

export const errors: Strings['errors'] = {
  generic: 'Das hat nicht geklappt. Versuch es noch einmal.',
  network: 'Der Server ist nicht erreichbar.',
}
