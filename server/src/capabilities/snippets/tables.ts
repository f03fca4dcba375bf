import '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    saved_snippets: {
      organization_id: number
      user_id: number
      id: number
      title: string
      content: string
      date_created: number
    }
  }
}
