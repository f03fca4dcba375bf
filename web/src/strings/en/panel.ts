export const panel = {
  label: 'Details',
  people: 'People',
  findPerson: 'Find a person',
  toggle: 'Show or hide the details',
}
