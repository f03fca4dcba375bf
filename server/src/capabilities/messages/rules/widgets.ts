/** Options of a poll, or tasks. A longer list stays text: as a widget it would be many times as large. */
export const MAX_WIDGET_ITEMS = 500

/**
 * The widget that a text makes of its message, as JSON; null for none. `/poll question` and `/todo title` make one,
 * with an option or a task in each of the lines that follow, as existing clients show them.
 */
export function widgetIn(content: string): string | null {
  if (!content.startsWith('/')) return null
  const [command = '', type] = /^\/(poll|todo)(?!\S)/.exec(content) ?? []
  if (type === undefined) return null
  const [first = '', ...lines] = content.slice(command.length).split(/\r\n?|\n/)
  const items = lines.map(listItem).filter((item) => item !== '')
  if (items.length > MAX_WIDGET_ITEMS) return null
  const extra_data =
    type === 'poll'
      ? { question: first.trim(), options: items }
      : { task_list_title: first.trim(), tasks: items.map(taskOf) }
  return JSON.stringify({ widget_type: type, extra_data })
}

/** A line without what makes it an item of a list. */
function listItem(line: string): string {
  return line.trim().replace(/^[-*]?\s*/, '')
}

/** Parses `task: description`. */
function taskOf(item: string): { task: string; desc: string } {
  const end = item.indexOf(': ')
  return end === -1
    ? { task: item, desc: '' }
    : { task: item.slice(0, end).trim(), desc: item.slice(end + ': '.length).trim() }
}
