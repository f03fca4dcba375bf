import '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    navigation_views: {
      organization_id: number
      user_id: number
      fragment: string
      id: number
      is_pinned: boolean
      name: string | null
    }
  }
}
