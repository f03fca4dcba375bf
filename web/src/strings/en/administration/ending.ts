export const ending = {
  title: 'Deactivation',
  what: 'Deactivate the organization',
  more: 'Nobody can use the organization any more: everybody is signed out, programs are refused, nothing is sent. All that was written stays stored, and those who run the server can bring the organization back.',
  action: 'Deactivate organization',
  sure: (name: string) =>
    `Everybody is signed out of ${name} at once, and nobody can sign in. To go on, type the name of the organization.`,
  typed: 'Name of the organization',
}
