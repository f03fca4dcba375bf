import type { Strings } from '../../kernel/strings.ts'

export const errors: Strings['errors'] = {
  generic: 'Das hat nicht geklappt. Versuch es noch einmal.',
  network: 'Der Server ist nicht erreichbar.',
}
