/**
 * A topic as a segment of a path. Browsers resolve `.` and `..`, also as `%2e`, so these end with a space, which no topic does:
 * readers of the path trim it.
 */
export function topicSegment(topic: string): string {
  return encodeURIComponent(topic.toWellFormed()).replace(/^\.\.?$/, '$&%20')
}
