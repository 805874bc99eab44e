import Footer from '@theme-original/DocItem/Footer';

/** A question above the usual foot of a page. */
export default function FooterWithQuestion(props) {
  return (
    <>
      <div className="opinion">
        <p>Was this page of use to you?</p>
        <button type="button">Yes</button>
        <button type="button">No</button>
      </div>
      <Footer {...props} />
    </>
  );
}
