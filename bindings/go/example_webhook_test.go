package slicewise_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"slicewise/bindings/go"
)

// maxReviewBytes is more than any object of an API server.
const maxReviewBytes = 16 << 20

// webhook answers admission reviews. Whatever cannot be judged is a status that
// the API server handles by the failurePolicy of its configuration.
type webhook struct{ reviewer *slicewise.Reviewer }

// ServeHTTP implements http.Handler.
func (h webhook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxReviewBytes))
	if err != nil {
		http.Error(w, "the review cannot be read", http.StatusRequestEntityTooLarge)
		return
	}
	if !json.Valid(body) {
		http.Error(w, "the review is not JSON", http.StatusBadRequest)
		return
	}
	verdict, err := h.reviewer.ReviewJSON(r.Context(), body, slicewise.Asking{})
	var failure *slicewise.Error
	switch {
	case errors.As(err, &failure):
		http.Error(w, failure.Error(), http.StatusBadRequest)
		return
	case err != nil:
		log.Print(err)
		http.Error(w, "the review could not be processed", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	// The client has gone if this fails.
	_ = json.NewEncoder(w).Encode(admissionv1.AdmissionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: "admission.k8s.io/v1", Kind: "AdmissionReview"},
		Response: verdict.Response,
	})
}

// A validating webhook on net/http. With controller-runtime, pass the request
// of its admission.Handler to Reviewer.Review, and return Verdict.Response.
func ExampleReviewer_webhook() {
	ctx := context.Background()
	module, err := slicewise.New(ctx)
	if err != nil {
		log.Fatal(err)
	}
	defer module.Close(ctx)
	reviewer, err := module.NewReviewer(ctx, json.RawMessage(`{"policies":{"slice-ownership":{"mode":"warn"}}}`), snapshot())
	if err != nil {
		log.Fatal(err)
	}
	server := httptest.NewServer(webhook{reviewer})
	defer server.Close()

	object, _ := json.Marshal(slice("127.0.0.1"))
	review := `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"705ab4f5",` +
		`"kind":{"group":"discovery.k8s.io","version":"v1","kind":"EndpointSlice"},"namespace":"shop","name":"by-hand",` +
		`"operation":"CREATE","userInfo":{"username":"jane"},"object":` + string(object) + `}}`
	for _, body := range []string{review, `{"kind":"AdmissionReview"}`, `half`} {
		response, err := http.Post(server.URL, "application/json", bytes.NewBufferString(body))
		if err != nil {
			log.Fatal(err)
		}
		var answer admissionv1.AdmissionReview
		if response.StatusCode == http.StatusOK {
			if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
				log.Fatal(err)
			}
			fmt.Println(response.StatusCode, answer.Response.UID, answer.Response.Allowed, answer.Response.Result.Reason)
		} else {
			fmt.Println(response.StatusCode)
		}
		response.Body.Close()
	}
	// Output:
	// 200 705ab4f5 false Forbidden
	// 400
	// 400
}
