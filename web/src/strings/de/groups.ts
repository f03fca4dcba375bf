import type { Strings } from '../en/index.ts'

export const groups: Strings['groups'] = {
  nobody: 'Niemand',
  owners: 'Inhaber',
  administrators: 'Administratoren',
  moderators: 'Moderatoren',
  fullmembers: 'Vollmitglieder',
  members: 'Mitglieder',
  everyone: 'Alle, auch Gäste',
  internet: 'Alle im Web',
}
