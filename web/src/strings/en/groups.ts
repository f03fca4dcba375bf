export const groups = {
  nobody: 'Nobody',
  owners: 'Owners',
  administrators: 'Administrators',
  moderators: 'Moderators',
  fullmembers: 'Full members',
  members: 'Members',
  everyone: 'Everybody, guests too',
  internet: 'Everybody on the web',
}
