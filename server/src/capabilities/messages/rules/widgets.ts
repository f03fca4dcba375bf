/**
 * Maximum number of poll options or tasks. Longer lists remain text, because as a widget they would be many times as
 * large.
 */
export const MAX_WIDGET_ITEMS = 500

/** Finds `/poll question` or `/todo title` with one option or task per line, as existing clients show them. */
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

function listItem(line: string): string {
  return line.trim().replace(/^[-*]?\s*/, '')
}

function taskOf(item: string): { task: string; desc: string } {
  const end = item.indexOf(': ')
  return end === -1
    ? { task: item, desc: '' }
    : { task: item.slice(0, end).trim(), desc: item.slice(end + ': '.length).trim() }
}
