export const settings = {
  title: 'Settings',
  sections: 'Settings sections',
  allSections: 'All settings',
  owners: { person: 'You', organization: 'Organization' },
  saved: 'Saved',
  waits: 'Will be saved when you reconnect',
  writing: 'Writing',
  reading: 'Reading',
}
