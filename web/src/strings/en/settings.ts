export const settings = {
  title: 'Settings',
  sections: 'Parts of the settings',
  allSections: 'All settings',
  owners: { person: 'You', organization: 'Organization' },
  atOnceForAll: 'What you choose counts at once, for everybody in the organization.',
  atOnce: 'What you choose counts at once, in every browser in which you are signed in.',
  saved: 'Saved',
  waits: 'Will be saved once there is a connection',
  writing: 'Writing',
  reading: 'Reading',
}
