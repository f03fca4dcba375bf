export const RESOLVED_PREFIX = '✔ '

export function isResolvedTopic(topic: string): boolean {
  return topic.startsWith(RESOLVED_PREFIX)
}

export function unresolvedTopic(topic: string): string {
  return isResolvedTopic(topic) ? topic.slice(RESOLVED_PREFIX.length) : topic
}

/** Whether a rename only marks the topic as resolved or unresolved. */
export function onlyChangesResolution(before: string | undefined, topic: string | undefined): boolean {
  return before !== undefined && topic !== undefined && unresolvedTopic(before) === unresolvedTopic(topic)
}
