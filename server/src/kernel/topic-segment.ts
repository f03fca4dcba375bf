/** Browsers resolve `.` and `..`, even as `%2e`, so these get a trailing space, which readers of the path trim. */
export function topicSegment(topic: string): string {
  return encodeURIComponent(topic.toWellFormed()).replace(/^\.\.?$/, '$&%20')
}
