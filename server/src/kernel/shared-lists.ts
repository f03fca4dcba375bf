export interface SharedList {
  readonly messageIds: readonly number[]
  readonly userIds: number[]
}

export function sharedLists(lists: Iterable<readonly [userId: number, messageIds: readonly number[]]>): SharedList[] {
  // Lists with the same length, first ID, and last ID are nearly always equal; a key of all IDs would be slow to build.
  const alike = new Map<string, SharedList[]>()
  for (const [userId, messageIds] of lists) {
    if (messageIds.length === 0) continue
    const likeness = `${messageIds.length} ${messageIds[0]} ${messageIds.at(-1)}`
    const found = alike.get(likeness) ?? []
    const same = found.find((sharing) => areSameIds(sharing.messageIds, messageIds))
    if (same === undefined) alike.set(likeness, [...found, { messageIds, userIds: [userId] }])
    else same.userIds.push(userId)
  }
  return [...alike.values()].flat()
}

function areSameIds(one: readonly number[], other: readonly number[]): boolean {
  return one === other || one.every((id, index) => id === other[index])
}
