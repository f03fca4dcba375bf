export const todo = {
  label: (title: string) => `To-do list: ${title}`,
  untitled: 'To-do list',
  title: 'Title',
  editTitle: 'Edit title',
  newTask: 'New task',
  description: 'Description',
  add: 'Add task',
  save: 'Save',
  isThere: 'This task is already on the list.',
}
