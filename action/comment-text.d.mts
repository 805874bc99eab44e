/** Nobody sees it, and by it the comment is found again. */
export declare const MARKER: string;

/** As long as GitHub takes it, with the marker before it. */
export declare function commentText(markdown: string): string;
